/** The stream of live updates; happy-dom has no EventSource. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static last: FakeEventSource | undefined;
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.last = this;
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  /** The server has accepted the stream. */
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  /** The stream breaks. The browser itself opens it again, if it is not closed meanwhile. */
  break(): void {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }

  send(topic: string): void {
    if (this.readyState !== FakeEventSource.CLOSED)
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ topic }) }));
  }
}
