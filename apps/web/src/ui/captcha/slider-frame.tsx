import type { ReactNode } from 'react';
import { CaptchaFrame } from './captcha-frame.tsx';
import { SliderBar, type SliderBarProps } from './slider-bar.tsx';

type SliderFrameProps = Pick<
  SliderBarProps,
  'label' | 'stepDrag' | 'value' | 'min' | 'max' | 'valueText' | 'onDone'
> & {
  title: string;
  image: ReactNode;
  /** The part of useCaptchaState that the slider needs. Its state is the handle's distance. */
  widget: {
    shown: object | undefined;
    state: number;
    setState: (drag: number) => void;
    isHeld: boolean;
    hold: () => void;
    release: () => void;
    reset: () => void;
    close: () => void;
    refresh: () => void;
  };
  isDisabled: boolean;
};

/** An image with a slider below it. */
export function SliderFrame({ title, image, widget, isDisabled, ...bar }: SliderFrameProps) {
  return (
    <CaptchaFrame
      title={title}
      image={image}
      control={
        <SliderBar
          {...bar}
          drag={widget.state}
          isDisabled={!widget.shown || isDisabled}
          onHold={widget.hold}
          onDrag={widget.setState}
          onRelease={widget.release}
          onReset={widget.reset}
        />
      }
      isDisabled={widget.isHeld || isDisabled}
      onClose={widget.close}
      onRefresh={widget.refresh}
    />
  );
}
