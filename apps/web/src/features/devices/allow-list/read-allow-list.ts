import { errorCatalogue } from '@tongtu/contract/errors';

export type AllowListLine = { line: number; entry: string };

/** Parses the text, one entry per line. Lines are counted from 1, including empty ones. */
export function readAllowListText(text: string): AllowListLine[] {
  return text
    .normalize('NFKC')
    .split(/\r?\n/)
    .flatMap((typed, index) => {
      const entry = typed
        .replaceAll('。', '.')
        .replace(/[,;、\s]+$/, '')
        .trim();
      return entry === '' ? [] : [{ line: index + 1, entry }];
    });
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

function isAddress(text: string): boolean {
  return ipv4.test(text) || (/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]`));
}

/** Why an entry is invalid; undefined when it is valid. The server checks it again. */
export function allowListProblem(entry: string): string | undefined {
  const [, address = '', bits] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? [];
  const [minBits, maxBits] = address.includes(':') ? [7, 128] : [8, 32];
  const isSound = isAddress(address) && Number(bits ?? 0) <= maxBits;
  if (!isSound) return errorCatalogue['device.allow-list-invalid'].zh;
  return Number(bits ?? maxBits) < minBits ? errorCatalogue['device.allow-list-everyone'].zh : undefined;
}
