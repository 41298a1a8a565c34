/**
 * The next label after `index` that starts with what was typed. The same letter several times moves through all labels
 * that start with it.
 */
export function findByTypedText(labels: readonly string[], typed: string, index: number): number | undefined {
  const text = typed.toLowerCase();
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const wanted = isRepeated ? text.slice(0, 1) : text;
  // A word that is being typed may still mean the focused item.
  const offset = wanted.length > 1 ? 0 : 1;
  const order = labels.map((_label, step) => (index + offset + step + labels.length) % labels.length);
  return order.find((each) => labels[each]?.toLowerCase().startsWith(wanted));
}
