/** Whether the agent is online, and the callers that wait for it. */
export class Presence {
  #uid: string | undefined;
  #failure: Error | undefined;
  #waiting: { resolve: (online: { uid: string }) => void; reject: (error: Error) => void }[] = [];

  setOnline(uid: string): void {
    this.#uid = uid;
    for (const waiter of this.#waiting.splice(0)) waiter.resolve({ uid });
  }

  setOffline(): void {
    this.#uid = undefined;
  }

  /** The agent has ended: it will not come online again. */
  end(failure: Error): void {
    this.#uid = undefined;
    this.#failure = failure;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(failure);
  }

  whenOnline(): Promise<{ uid: string }> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#uid !== undefined) return Promise.resolve({ uid: this.#uid });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
}
