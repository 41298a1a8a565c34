import { type ReactNode, type Ref, useCallback, useImperativeHandle, useState } from 'react';

/** Data URLs; without an image nothing can be answered. */
export type CaptchaImages = { image: string; thumb: string };

/** What the host of a widget may do to it. */
export type CaptchaWidget = {
  /** Takes back what the person has done so far. */
  reset: () => void;
  /** The same, and takes the images away. */
  clear: () => void;
};

export type CaptchaWidgetProps<Data extends CaptchaImages, Result> = {
  /** Another object is another challenge, even with the same images. */
  data: Data | undefined;
  /** `reset` takes back what the person has done, so that they can try again. */
  onConfirm: (result: Result, reset: () => void) => void;
  onRefresh: () => void;
  onClose: () => void;
  /** While an answer is being judged. */
  isDisabled?: boolean | undefined;
  /** What stands in place of a missing image. */
  placeholder?: ReactNode;
  ref?: Ref<CaptchaWidget>;
};

type Kept<Data, State> = { of: Data | undefined; state: State };

/**
 * What a widget shows and what has been done to it. It belongs to one challenge: another one starts from `initial`. While
 * it is held (during a drag) a new challenge waits.
 */
export function useCaptchaState<Data extends CaptchaImages, Result, State>(
  props: CaptchaWidgetProps<Data, Result>,
  initial: State,
) {
  const [cleared, setCleared] = useState<Data>();
  const [held, setHeld] = useState<CaptchaWidgetProps<Data, Result>>();
  const [kept, setKept] = useState<Kept<Data, State>>({ of: undefined, state: initial });
  const { data, onConfirm } = held ?? props;
  const shown = data !== undefined && data !== cleared && data.image !== '' ? data : undefined;

  const reset = useCallback(() => setKept({ of: undefined, state: initial }), [initial]);
  const clear = useCallback(() => {
    reset();
    setCleared(data);
  }, [reset, data]);
  useImperativeHandle(props.ref, () => ({ reset, clear }), [reset, clear]);

  return {
    shown,
    state: kept.of === shown ? kept.state : initial,
    setState: (state: State) => setKept({ of: shown, state }),
    isHeld: held !== undefined,
    hold: () => setHeld(props),
    release: () => setHeld(undefined),
    reset,
    confirm: (result: Result) => onConfirm(result, reset),
    close: () => {
      reset();
      props.onClose();
    },
    refresh: () => {
      reset();
      props.onRefresh();
    },
  };
}
