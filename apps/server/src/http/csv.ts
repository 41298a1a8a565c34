/** What a spreadsheet takes for a formula when a cell begins with it; it does not run it after an apostrophe. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** With it, Excel reads the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A line of a CSV file (RFC 4180). No cell of it is a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A cell that a spreadsheet does not take for a number, such as 00123 or 12E45. */
export function csvText(text: string): string {
  return /^\d+(?:E\d+)?$/i.test(text) ? `'${text}` : text;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
