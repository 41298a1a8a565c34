import type { ReactNode } from 'react';
import { CaptchaFrame } from './captcha-frame.tsx';
import { SliderBar, type SliderBarProps } from './slider-bar.tsx';

type SliderFrameProps = Pick<
  SliderBarProps,
  'label' | 'stepDrag' | 'value' | 'min' | 'max' | 'valueText' | 'onDone'
> & {
  title: string;
  picture: ReactNode;
  /** What useCaptchaState has of the widget; its state is how far the handle is. */
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

/** A picture that the slider below it answers. */
export function SliderFrame({ title, picture, widget, isDisabled, ...bar }: SliderFrameProps) {
  return (
    <CaptchaFrame
      title={title}
      picture={picture}
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
