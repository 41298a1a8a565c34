/**
 * Runs before all other scripts, only in browsers that lack one of these functions. It adds them, or says that the
 * browser is too old. The build makes it a file of its own: it may import nothing but types. Internet Explorer, which is
 * the compatibility mode of many Chinese browsers, has to understand it too: no syntax of ES2015 but const.
 */
export function olderBrowsers(): void {
  function showTooOld(): void {
    const root = document.querySelector<HTMLElement>('#root');
    const message = document.querySelector('.not-loaded');
    if (!root || !message) return;
    root.style.display = 'none';
    message.innerHTML =
      '<div><h1>浏览器版本太旧</h1>' +
      '<p>请更新浏览器，或换一个浏览器打开：Chrome 92、Edge 92、Firefox 115、Safari 16.4 或更新的版本。</p>' +
      '<p>360、QQ 等浏览器请切换到“极速模式”，内核版本须为 92 或更高。在微信里请点右上角的“…”，选择在浏览器中打开。</p></div>';
    message.removeAttribute('hidden');
  }
  function showWhenLoaded(): void {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showTooOld);
    else showTooOld();
  }
  // As old as the syntax of the page's scripts.
  if (typeof Promise === 'undefined' || !('any' in Promise)) return showWhenLoaded();

  addEventListener('error', function onError(event) {
    const isOurs = (event.filename || '').indexOf(location.origin + '/assets/') === 0;
    if (isOurs && document.querySelector('.splash')) showWhenLoaded();
  });

  /** Chrome 92 has the first, Safari 16.4 the second. */
  function canShowConsole(): boolean {
    try {
      return 'at' in Array.prototype && new RegExp('(?<=a)b').test('ab');
    } catch (error) {
      void error;
      return false;
    }
  }
  if (!canShowConsole()) {
    // Guests see the gate, and the login that it leads to.
    if (!/^#\/(check|login\?(.*&)?url=)/.test(location.hash)) showWhenLoaded();
    window.tongtuTooOld = function tongtuTooOld() {
      showTooOld();
      return new Promise(function never() {});
    };
  }

  function add(target: object, name: string, value: unknown): void {
    if (typeof Reflect.get(target, name) !== 'function')
      Object.defineProperty(target, name, { value: value, writable: true, configurable: true });
  }
  function at<T>(this: ArrayLike<T>, index: number): T | undefined {
    const whole = Math.trunc(index) || 0;
    return this[whole < 0 ? this.length + whole : whole];
  }
  add(Array.prototype, 'at', at);
  add(String.prototype, 'at', at);
  add(Object.getPrototypeOf(Uint8Array.prototype) as object, 'at', at);
  add(Array.prototype, 'findLast', function findLast<
    T,
  >(this: T[], test: (item: T, index: number, all: T[]) => unknown): T | undefined {
    for (let index = this.length - 1; index >= 0; index -= 1) {
      const item = this[index] as T; // the index is within the array
      if (test(item, index, this)) return item;
    }
    return undefined;
  });
  add(Array.prototype, 'toReversed', function toReversed<T>(this: T[]): T[] {
    return this.slice().reverse();
  });
  add(Array.prototype, 'toSorted', function toSorted<T>(this: T[], compare: (one: T, other: T) => number): T[] {
    return this.slice().sort(compare);
  });
  add(String.prototype, 'isWellFormed', function isWellFormed(this: string): boolean {
    return !/[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/.test(this);
  });
  add(Object, 'hasOwn', function hasOwn(of: object, name: PropertyKey): boolean {
    return Object.prototype.hasOwnProperty.call(of, name);
  });
  add(Map, 'groupBy', function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
    const groups = new Map<K, T[]>();
    Array.from(items).forEach(function addTo(item, index) {
      const key = keyOf(item, index);
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    });
    return groups;
  });
  add(Promise, 'withResolvers', function withResolvers<T>(): PromiseWithResolvers<T> {
    const parts = {} as PromiseWithResolvers<T>; // filled below, as a promise calls its function at once
    parts.promise = new Promise<T>(function keep(resolve, reject) {
      parts.resolve = resolve;
      parts.reject = reject;
    });
    return parts;
  });
  function parse(url: string, base?: string): URL | null {
    try {
      return new URL(url, base);
    } catch (error) {
      void error;
      return null;
    }
  }
  add(URL, 'parse', parse);
  add(URL, 'canParse', function canParse(url: string, base?: string): boolean {
    return parse(url, base) !== null;
  });
  add(AbortSignal, 'timeout', function timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    setTimeout(function end() {
      controller.abort(new DOMException('signal timed out', 'TimeoutError'));
    }, milliseconds);
    return controller.signal;
  });
  add(AbortSignal, 'any', function any(signals: Iterable<AbortSignal>): AbortSignal {
    const controller = new AbortController();
    Array.from(signals).forEach(function follow(signal) {
      function end(): void {
        controller.abort(signal.reason);
      }
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
    return controller.signal;
  });
  add(AbortSignal.prototype, 'throwIfAborted', function throwIfAborted(this: AbortSignal): void {
    if (this.aborted) throw this.reason || new DOMException('signal is aborted', 'AbortError');
  });
  add(Element.prototype, 'checkVisibility', function checkVisibility(this: Element): boolean {
    return this.getClientRects().length > 0;
  });
}
