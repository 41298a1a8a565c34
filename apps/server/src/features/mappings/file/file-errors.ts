import type { LocalizedText } from '@tongtu/contract';
import { AppError, errorCatalogue } from '@tongtu/contract/errors';

export type LineError = { line: number; text: LocalizedText };

// More do not help: the first ones are often the cause of the others.
const MAX_SHOWN = 20;

/** The answer for a file that is not valid. Each message names its line. */
export function fileError(errors: readonly LineError[], options?: ErrorOptions): AppError {
  const shown = errors.toSorted((first, second) => first.line - second.line).slice(0, MAX_SHOWN);
  return new AppError('mapping-file.invalid', { ...options, fields: { yaml: shown.map(atLine) } });
}

/** An error that one mapping of the file causes, at its line. What is no fault of the file stays as it is. */
export function errorAtLine(error: unknown, line: number): unknown {
  if (!(error instanceof AppError) || errorCatalogue[error.code].status >= 500) return error;
  if (error.code === 'session.confirm-required') return error;
  const [field] = Object.entries(error.fields ?? {});
  // More than one belong together, such as a DNS record after the reason why it is needed.
  const texts = field?.[1].map((text, at) => (at === 0 ? withField(field[0], text) : text));
  const shown = texts ?? [errorCatalogue[error.code]];
  return fileError(
    shown.map((text) => ({ line, text })),
    { cause: error },
  );
}

export function withField(name: string, { zh, en }: LocalizedText): LocalizedText {
  return name === '' ? { zh, en } : { zh: `${name}：${zh}`, en: `${name}: ${en}` };
}

function atLine({ line, text }: LineError): LocalizedText {
  return { zh: `第 ${line} 行：${text.zh}`, en: `Line ${line}: ${text.en}` };
}
