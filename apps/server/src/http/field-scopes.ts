import { AppError, type ApiScope, type Endpoint, type FieldErrors, type LocalizedText } from '@tongtu/contract';

/** Checks the body of a call with an API token. Throws session.scope with every field that the scopes do not allow. */
export function checkFieldScopes(
  { fieldScopes = {} }: Pick<Endpoint, 'fieldScopes'>,
  scopes: readonly ApiScope[],
  body: unknown,
): void {
  const sent = new Map(Object.entries(body ?? {}));
  const fields: FieldErrors = {};
  for (const [name, rule] of Object.entries(fieldScopes)) {
    const value = sent.get(name);
    if (rule === undefined || value === undefined || value === rule.free || scopes.includes(rule.scope)) continue;
    fields[name] = [missingScopeText(rule.scope)];
  }
  if (Object.keys(fields).length > 0) throw new AppError('session.scope', { fields });
}

/** The error for fields that an API token without this scope may not send. */
export function missingScope(scope: ApiScope, names: readonly string[]): AppError {
  return new AppError('session.scope', {
    fields: Object.fromEntries(names.map((name) => [name, [missingScopeText(scope)]])),
  });
}

function missingScopeText(scope: ApiScope): LocalizedText {
  return { zh: `API 令牌还需要 ${scope} 权限`, en: `The API token needs the scope ${scope} as well` };
}

/** Describes these rules in the OpenAPI document. Undefined if there are none. */
export function describeFieldScopes({ fieldScopes }: Pick<Endpoint, 'fieldScopes'>): string | undefined {
  if (fieldScopes === undefined) return undefined;
  return Object.entries(fieldScopes)
    .flatMap(([name, rule]) => {
      if (rule === undefined) return [];
      const except = rule.free === undefined ? '' : ` with any other value than \`${rule.free}\``;
      return [`An API token needs the scope \`${rule.scope}\` as well to send \`${name}\`${except}.`];
    })
    .join('\n\n');
}
