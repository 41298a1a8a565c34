import { auditActionWords, auditFieldWords, auditText } from '../../../text/management/audit.ts';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { momentText } from '../../../text/moment-text.ts';
import { registrationText } from '../../../text/manage.ts';
import { keyStatusWords } from '../../../text/shop/keys.ts';
import { rateText, yuanText } from '../../../text/shop/money.ts';
import { providerWords } from '../../../text/shop/orders.ts';

/** Values that are names of the contract. */
const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  registration: registrationText.options,
  status: keyStatusWords,
  provider: providerWords,
  app_kinds: appKindWords,
};

export type ChangedFact = { field: string; before: string; after: string };

export function actionText(action: string): string {
  return auditActionWords[action] ?? action;
}

/** What an entry says about the object, field by field. Of a change only what is different. */
export function factsOf(entry: { before: Record<string, unknown>; after: Record<string, unknown> }): ChangedFact[] {
  const { before, after } = entry;
  const isChange = Object.keys(before).length > 0 && Object.keys(after).length > 0;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isChange || JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => {
      const field = snakeCase(name);
      const text = (facts: Record<string, unknown>) => (name in facts ? valueText(field, facts[name]) : '');
      return { field: auditFieldWords[field] ?? name, before: text(before), after: text(after) };
    });
}

/** Some parts of the server write `amountFen`, others `amount_fen`. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return auditText.nothing;
  if (typeof value === 'boolean') return value ? auditText.yes : auditText.no;
  if (typeof value === 'number') return numberText(field, value);
  if (typeof value === 'string') return stringText(field, value);
  if (Array.isArray(value)) return value.map((one) => valueText(field, one)).join('、');
  return Object.entries(value)
    .map(([name, one]) => `${auditFieldWords[snakeCase(name)] ?? name} ${valueText(snakeCase(name), one)}`)
    .join(' ');
}

function numberText(field: string, value: number): string {
  if (field.endsWith('_fen')) return yuanText(value);
  return field.endsWith('_bps') ? rateText(value) : String(value);
}

function stringText(field: string, value: string): string {
  if (field.endsWith('_at')) return momentText(value);
  return valueWords[field]?.[value] ?? value;
}
