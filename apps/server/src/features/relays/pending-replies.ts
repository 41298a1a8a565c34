type Outcomes<Reply> = {
  maxPending: number;
  /** For a request beyond `maxPending`. */
  busy: Reply;
  /** Where the relay has disconnected. */
  lost: Reply;
};

type Request<Reply> = { send: (correlation: number) => void; timeoutMs: number; late: Reply };

/** What one relay was asked and has not answered yet. Each request gets a reply, whatever the relay does. */
export class PendingReplies<Reply> {
  readonly #outcomes: Outcomes<Reply>;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #correlation = 0;
  #isClosed = false;

  constructor(outcomes: Outcomes<Reply>) {
    this.#outcomes = outcomes;
  }

  /** Sends a request that may get several replies, the last with `isLast`. */
  open(send: (correlation: number) => void, onReply: (reply: Reply) => void): void {
    if (this.#isClosed) return onReply(this.#outcomes.lost);
    if (this.#pending.size >= this.#outcomes.maxPending) return onReply(this.#outcomes.busy);
    const correlation = ++this.#correlation;
    this.#pending.set(correlation, onReply);
    send(correlation);
  }

  /** Sends a request with one reply. Always resolves, with `late` if nothing arrives in time. */
  async ask({ send, timeoutMs, late }: Request<Reply>): Promise<Reply> {
    return await new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const sendTimed = (correlation: number) => {
        timer = setTimeout(() => this.reply(correlation, late), timeoutMs);
        send(correlation);
      };
      this.open(sendTimed, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
    });
  }

  /** Whether somebody waits for it. */
  has(correlation: number): boolean {
    return this.#pending.has(correlation);
  }

  /** Ignores a late reply, and one that nobody asked for. */
  reply(correlation: number, reply: Reply, { isLast = true } = {}): void {
    const onReply = this.#pending.get(correlation);
    if (isLast) this.#pending.delete(correlation);
    onReply?.(reply);
  }

  /** Ends all, because the relay has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const correlation of this.#pending.keys()) this.reply(correlation, this.#outcomes.lost);
  }
}
