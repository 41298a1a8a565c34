import { selectorSpecificity, compare, type Specificity } from '@csstools/selector-specificity';
import postcss, { AtRule, list, Rule, type ChildNode, type Container } from 'postcss';
import selectorParser, { type Selector } from 'postcss-selector-parser';

/** Rules with other rules in them, which decide when those hold. */
const CONDITIONS = new Set(['media', 'supports', 'container']);
/** Rules without selectors: their place does not matter. */
const DEFINITIONS = new Set(['keyframes', 'font-face', 'property']);

/**
 * The same styles with the lowest precedence: every style outside of them comes before them, as if they were in a cascade
 * layer (`@layer`), which needs Chrome 99. `:where()` takes a selector's specificity, so the rules are sorted by the one
 * that they had. Unlike a layer, they tie with styles outside that have no specificity either (`*`), where the later one
 * wins, and their `!important` comes after one outside. Throws for rules that it cannot sort.
 */
export function lowestStyles(css: string): string {
  const root = postcss.parse(css);
  const rules: PlacedRule[] = [];
  const others: ChildNode[] = [];
  collect(root, [], { rules, others });
  const result = postcss.root({ nodes: others });
  let last: { conditions: AtRule[]; container: Container } = { conditions: [], container: result };
  for (const { selectors, declarations, conditions } of rules.toSorted((one, other) =>
    compare(one.specificity, other.specificity),
  )) {
    if (conditions !== last.conditions) last = { conditions, container: appendConditions(result, conditions) };
    last.container.append(new Rule({ selectors, nodes: declarations }));
  }
  return result.toString();
}

/** A rule, or the part of its selectors that has this specificity. */
type PlacedRule = { specificity: Specificity; selectors: string[]; declarations: ChildNode[]; conditions: AtRule[] };

function collect(
  container: Container,
  conditions: AtRule[],
  found: { rules: PlacedRule[]; others: ChildNode[] },
): void {
  for (const node of container.nodes ?? []) {
    if (node instanceof Rule) found.rules.push(...bySpecificity(node, conditions));
    else if (node instanceof AtRule && CONDITIONS.has(node.name)) collect(node, [...conditions, node], found);
    else if (node instanceof AtRule && DEFINITIONS.has(node.name) && conditions.length === 0)
      found.others.push(node.clone());
    else if (node.type !== 'comment') throw new Error(`cannot be sorted: ${node.toString().slice(0, 100)}`);
  }
}

function bySpecificity(rule: Rule, conditions: AtRule[]): PlacedRule[] {
  if (rule.some((node) => node.type === 'rule' || node.type === 'atrule'))
    throw new Error(`cannot be sorted, because it has rules in it: ${rule.selector}`);
  const groups = new Map<string, PlacedRule>();
  for (const text of list.comma(rule.selector)) {
    const [selector] = selectorParser().astSync(text).nodes;
    if (selector === undefined) throw new Error(`no selector in ${rule.selector}`);
    const specificity = selectorSpecificity(selector);
    const key = `${specificity.a} ${specificity.b} ${specificity.c}`;
    const group = groups.get(key) ?? { specificity, selectors: [], declarations: clonesOf(rule), conditions };
    group.selectors.push(withoutSpecificity(selector));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function clonesOf({ nodes }: Rule): ChildNode[] {
  return nodes.map((node) => node.clone());
}

/** A pseudo-element, and what comes after it, cannot be within `:where()`. */
function withoutSpecificity(selector: Selector): string {
  const parts = selector.nodes;
  const end = parts.findIndex((part) => selectorParser.isPseudoElement(part));
  const textOf = (some: typeof parts): string => some.map(String).join('');
  const [element, rest] = end < 0 ? [parts, []] : [parts.slice(0, end), parts.slice(end)];
  return `:where(${textOf(element).trim() || '*'})${textOf(rest)}`;
}

function appendConditions(root: Container, conditions: readonly AtRule[]): Container {
  return conditions.reduce((outer, { name, params }) => {
    const inner = new AtRule({ name, params, nodes: [] });
    outer.append(inner);
    return inner;
  }, root);
}
