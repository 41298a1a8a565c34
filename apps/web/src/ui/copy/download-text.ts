/** Some browsers read the file only after the click handler has returned. */
const releaseAfterMs = 30_000;

/** Offers a text as a download. */
export function downloadText(
  fileName: string,
  text: string,
  type: 'text/plain' | 'text/csv' | 'application/json',
): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), releaseAfterMs);
}
