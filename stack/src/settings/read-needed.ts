import { OperatorError } from '../operator-error.ts';

/** The variables that a setting such as `SMS=aliyun` needs. The error names all that are missing. */
export function readNeeded<Name extends string>(
  setting: string,
  values: { readonly [name in Name]?: unknown },
  names: readonly Name[],
): Record<Name, string> {
  const missing = names.filter((name) => typeof values[name] !== 'string');
  if (missing.length > 0) throw new OperatorError(`${setting} 需要设置 ${missing.join('、')}`);
  return values as Record<Name, string>; // just checked
}
