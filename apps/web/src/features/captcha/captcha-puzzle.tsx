import type { CaptchaChallenge, CaptchaType } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { ClickCaptcha } from '../../ui/captcha/click-captcha.tsx';
import { DragCaptcha } from '../../ui/captcha/drag-captcha.tsx';
import { RotateCaptcha } from '../../ui/captcha/rotate-captcha.tsx';
import { SlideCaptcha } from '../../ui/captcha/slide-captcha.tsx';
import type { Answer } from './use-challenge.ts';

type CaptchaPuzzleProps = {
  /** Without a challenge the widget of `type` is shown without an image. */
  challenge: CaptchaChallenge | undefined;
  type: CaptchaType;
  isDisabled: boolean;
  placeholder: ReactNode;
  onAnswer: (answer: Answer, reset: () => void) => void;
  onRefresh: () => void;
  onClose: () => void;
};

/** The widget for a challenge. */
export function CaptchaPuzzle({ challenge, type, onAnswer, ...shared }: CaptchaPuzzleProps) {
  switch (challenge?.type ?? type) {
    case 'click':
      return (
        <ClickCaptcha
          {...shared}
          data={challenge?.type === 'click' ? challenge : undefined}
          onConfirm={(dots, reset) => {
            const [first] = dots;
            const since = first?.key ?? 0;
            onAnswer(
              { type: 'click', dots: dots.map(({ index, x, y, key }) => ({ index, x, y, t: key - since })) },
              reset,
            );
          }}
        />
      );
    case 'slide':
      return (
        <SlideCaptcha
          {...shared}
          data={challenge?.type === 'slide' ? challenge : undefined}
          onConfirm={({ x, y, trail }, reset) => onAnswer({ type: 'slide', x, y, trail: [...trail] }, reset)}
        />
      );
    case 'drag':
      return (
        <DragCaptcha
          {...shared}
          data={challenge?.type === 'drag' ? challenge : undefined}
          onConfirm={({ x, y, trail }, reset) => onAnswer({ type: 'drag', x, y, trail: [...trail] }, reset)}
        />
      );
    case 'rotate':
      return (
        <RotateCaptcha
          {...shared}
          data={challenge?.type === 'rotate' ? challenge : undefined}
          onConfirm={({ angle, trail }, reset) => onAnswer({ type: 'rotate', angle, trail: [...trail] }, reset)}
        />
      );
  }
}
