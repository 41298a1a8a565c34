/**
 * What a form changes: the fields of `body` that differ from `before`, the body of the form as it was opened. The other
 * fields may have been changed elsewhere meanwhile, and stay as they are.
 */
export function changedFields<Body extends object>(body: Body, before: object): Partial<Body> {
  const opened = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(opened.get(name)),
  );
  return Object.fromEntries(changed) as Partial<Body>; // its entries are those of `body`
}
