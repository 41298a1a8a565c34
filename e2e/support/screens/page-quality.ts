import type { Page } from 'playwright-core';

/** Terms that Chinese texts of this field use untranslated. Other words in Latin letters are missing translations. */
const technicalWords = new Set(
  `admin agent api app cpu dns docker git github http https id iot ip lan linux localhost macos mac nas nodejs node js npm
   openwrt istoreos pc postgresql root router sftp shell ssh sh state server systemd tcp tls token tongtu udp url usb vnc web
   webdav websocket windows x64 arm64 amd64 wifi wi fi v4 v6 ipv4 ipv6 curl fssl ftp vm welcome base domain base_domain ms kb mb gb
   home assistant jellyfin emby plex synology dsm qnap unraid truenas transmission qbittorrent aria2 portainer
 fnos qts gmt cname txt aaaa host proxy rdp rpc java wireguard chrome edge firefox shift safari nextcloud immich alist openlist lucky esxi proxmox pve jupyter code
 microsoft google authenticator json webhook bark sendkey post sec sct cookie frp frpc stcp remoteport visitor proxies user office wget toml ini uci ctrl png jpeg webp csv telnet smb
 sni origin referer`.split(/\s+/),
);
/** So many Latin words in a row are a sentence, whatever the words are. */
const SENTENCE_WORDS = 4;

/** Latin words on the screen that are neither technical terms nor parts of an address, key or command. */
export async function untranslatedText(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const isForMachines = (element: Element) =>
      element.closest('pre, code, a[href], input, textarea, [class*="mono" i]') !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const isSeen = element?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
      if (element && isSeen && !isForMachines(element)) found.push(node.textContent ?? '');
    }
    const hints = [...document.querySelectorAll(':is([placeholder], [aria-label], [title], [alt])')];
    const attributes = ['placeholder', 'aria-label', 'title', 'alt'] as const;
    return [...found, ...hints.flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? ''))];
  });
  return [...new Set(texts.flatMap(suspiciousParts))];
}

function suspiciousParts(shown: string): string[] {
  // The name of a browser is shown as it is.
  const text = shown.replace(/Mozilla\/.*/s, '').replaceAll(/\b[0-9A-Z]{5}\b/g, ' '); // nor is part of a product key a word
  const sentences =
    text.match(new RegExp(String.raw`[A-Za-z']+(?:[ ,]+[A-Za-z']+){${SENTENCE_WORDS - 1},}`, 'g')) ?? [];
  // Host names, addresses, paths, versions and identifiers are not words of a sentence.
  const words = text.replace(/[\w.*…-]*[.@:/\\_\d…][\w.:/@*…-]*/g, ' ').match(/[A-Za-z][A-Za-z']{2,}/g) ?? [];
  return [...sentences, ...words.filter((word) => !technicalWords.has(word.toLowerCase()))];
}

/** Controls with texts of the browser in its own language, such as date inputs and validation messages. */
export async function browserSpeaksOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const dates = ['date', 'datetime-local', 'month', 'time', 'week'];
    const controls = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')];
    const isChecked = ({ form, type, required, pattern, minLength }: HTMLInputElement) =>
      form?.noValidate === false &&
      (['email', 'number', 'url'].includes(type) || required || Boolean(pattern) || minLength > 0);
    return controls
      .filter((control) => dates.includes(control.type) || isChecked(control))
      .map((control) => control.outerHTML.slice(0, 160));
  });
}

/** Controls without an accessible name, and duplicate ids of labelled controls. */
export async function unnamedControls(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const textOf = (id: string) => document.querySelector(`#${CSS.escape(id)}`)?.textContent ?? '';
    const nameOf = (element: HTMLElement): string => {
      const labelledBy = element.getAttribute('aria-labelledby')?.split(' ').map(textOf).join('');
      const hasLabels = [HTMLInputElement, HTMLTextAreaElement, HTMLButtonElement].some(
        (kind) => element instanceof kind,
      );
      const labels = hasLabels ? (element as HTMLInputElement).labels : null; // as the other two have it
      const byLabel = [...(labels ?? [])].map((label) => label.textContent).join('');
      const own =
        element instanceof HTMLInputElement ? element.value && element.type === 'submit' : element.textContent;
      const byIcon = element.querySelector('[aria-label]')?.ariaLabel;
      return [element.ariaLabel, labelledBy, byLabel, own, element.title, byIcon].filter(Boolean).join('').trim();
    };
    const controls = 'button, a[href], input, textarea, [role=button], [role=switch], [role=radio], [role=combobox]';
    const unnamed = [...document.querySelectorAll<HTMLElement>(controls)]
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]'),
      )
      .filter((element) => nameOf(element) === '');
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
    return [...unnamed.map((element) => element.outerHTML.slice(0, 160)), ...[...twice].map((id) => `two of #${id}`)];
  });
}

/** True when the focus is in the open dialog, or no dialog is open. */
export async function isFocusInDialog(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('[role=dialog]')].filter((dialog) => dialog.checkVisibility());
    return dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(document.activeElement));
  });
}

/** What changes step by step at the moment, as `property of element`. */
export async function transitionsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const running = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    return running.map(({ transitionProperty, effect }) => {
      const { target, pseudoElement } = effect as KeyframeEffect; // a transition has no other
      return `${transitionProperty} of ${pseudoElement ?? ''} ${target?.outerHTML.slice(0, 120)}`;
    });
  });
}

/** Elements that overflow the screen to the right. */
export async function horizontalOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if ((document.scrollingElement?.scrollWidth ?? 0) <= width) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > width + 1,
    );
    return [
      `page of ${document.scrollingElement?.scrollWidth} on ${width}`,
      ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)),
    ];
  });
}

/**
 * True when the page's font draws Chinese. A font without these glyphs draws the same box for every character.
 */
export async function drawsChinese(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 64, height: 64 });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return false;
    const draw = (character: string): string => {
      context.clearRect(0, 0, 64, 64);
      context.font = `48px ${getComputedStyle(document.body).fontFamily}`;
      context.fillText(character, 8, 50);
      return context.getImageData(0, 0, 64, 64).data.join();
    };
    const missing = draw('\u{10FFFD}'); // private use: no font has it
    const drawn = ['通', '途', '设', '备'].map(draw);
    return new Set([...drawn, missing]).size === drawn.length + 1;
  });
}
