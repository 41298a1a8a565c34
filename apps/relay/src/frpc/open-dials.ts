/** frpc gives up a target that does not answer after 134 s; no message makes it stop earlier. */
const ABANDONED_MS = 60_000;
/** Of a target that did not answer lately: its dials add up in frpc. */
const MAX_OF_SILENT_TARGET = 8;
const MAX_OF_TARGET = 300;
const MAX_OF_DEVICE = 512;

type TargetDials = { open: number; abandonedAtMs: number[] };
export type Dial = { done: () => void; abandon: () => void };

/** Counts the targets that frpc is dialling, including those that we no longer wait for. */
export class OpenDials {
  readonly #monotonicMs: () => number;
  readonly #targets = new Map<string, TargetDials>();
  #open = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** `silent`: it did not answer lately, and further dials would only add up. `busy`: the limit of all targets. */
  begin(target: string): Dial | 'silent' | 'busy' {
    this.#forgetOld();
    const dials = this.#targets.get(target) ?? { open: 0, abandonedAtMs: [] };
    const { length: abandoned } = dials.abandonedAtMs;
    if (abandoned > 0 && abandoned + dials.open >= MAX_OF_SILENT_TARGET) return 'silent';
    if (this.#open >= MAX_OF_DEVICE || dials.open >= MAX_OF_TARGET) return 'busy';
    this.#targets.set(target, dials);
    this.#open++;
    dials.open++;
    let isOpen = true;
    const end = (): boolean => {
      if (!isOpen) return false;
      isOpen = false;
      this.#open--;
      dials.open--;
      return true;
    };
    return {
      done: () => {
        if (!end()) return;
        dials.abandonedAtMs = [];
        if (dials.open === 0) this.#targets.delete(target);
      },
      abandon: () => {
        if (end()) dials.abandonedAtMs.push(this.#monotonicMs());
      },
    };
  }

  #forgetOld(): void {
    const oldestMs = this.#monotonicMs() - ABANDONED_MS;
    for (const [target, dials] of this.#targets) {
      dials.abandonedAtMs = dials.abandonedAtMs.filter((atMs) => atMs > oldestMs);
      if (dials.open === 0 && dials.abandonedAtMs.length === 0) this.#targets.delete(target);
    }
  }
}
