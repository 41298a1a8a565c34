import { escapeHtml } from '@tongtu/base';

export type Html = { html: string };

/** Builds HTML. Escapes every value unless it is `Html` itself. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(toHtml)) };
}

function toHtml(value: string | Html | Html[]): string {
  if (Array.isArray(value)) return value.map((part) => part.html).join('');
  return typeof value === 'string' ? escapeHtml(value) : value.html;
}
