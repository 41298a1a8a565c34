/** The stream of live updates; happy-dom has no EventSource. */
export class FakeEventSource extends EventTarget {
  static last: FakeEventSource | undefined;
  isOpen = true;

  constructor() {
    super();
    FakeEventSource.last = this;
  }

  close(): void {
    this.isOpen = false;
  }

  send(topic: string): void {
    if (this.isOpen) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ topic }) }));
  }
}
