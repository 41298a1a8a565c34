import { type ReactNode, type Ref, useCallback, useImperativeHandle, useState } from 'react';

/** Data URLs. Without an image the widget accepts no answer. */
export type CaptchaImages = { image: string; thumb: string };

/** The widget's imperative handle. */
export type CaptchaWidget = {
  /** Resets the user's input. */
  reset: () => void;
  /** Resets the input and removes the images. */
  clear: () => void;
};

export type CaptchaWidgetProps<Data extends CaptchaImages, Result> = {
  /** A different object is a new challenge, even with the same images. */
  data: Data | undefined;
  /** `reset` clears the user's input, so that they can try again. */
  onConfirm: (result: Result, reset: () => void) => void;
  onRefresh: () => void;
  onClose: () => void;
  /** True while the server checks an answer. */
  isDisabled?: boolean | undefined;
  /** Shown in place of a missing image. */
  placeholder?: ReactNode;
  ref?: Ref<CaptchaWidget>;
};

type Kept<Data, State> = { of: Data | undefined; state: State };

/** The images and the user's input. A new challenge resets the input to `initial`, but waits until a drag has ended. */
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
