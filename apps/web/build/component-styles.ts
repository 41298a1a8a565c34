import { createElement } from 'react';
import type { Plugin } from 'vite';
import { lowestStyles } from './lowest-styles.ts';

const PLACE = '/src/ui/theme/component-styles.css';
const STYLE_MODULE = /\/node_modules\/antd\/es\/.*\bstyle(\/[A-Za-z]+)?\.js$/;
const LINK = ":where([class^='ant-'], [class*=' ant-']) a";
const STYLE_HOOKS = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook']);

/** Ant Design's components that the console shows. */
const components = [
  ...['Alert', 'App', 'Avatar', 'Badge', 'Button', 'Card', 'Checkbox', 'Col', 'Collapse', 'DatePicker', 'Empty'],
  ...['Flex', 'Form', 'Input', 'InputNumber', 'Modal', 'Pagination', 'Progress', 'Radio', 'Row', 'Segmented'],
  ...['Select', 'Skeleton', 'Space', 'Spin', 'Steps', 'Switch', 'Tabs', 'Tag', 'Tooltip', 'message'],
];
/** What these load and the console does not show, by its name in Ant Design. */
const neverShown = new Set([
  ...['Notification-Notification', 'Notification-PurePanel', 'Popover-Popover', 'Pagination-bordered'],
]);

const COLOURS = '(?:blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|lime|gold)';
const VARIANTS = '(?:borderless|filled|underlined)';
/**
 * Parts of selectors that the console never has: right to left, a grid of columns, colours by name, fields without a
 * frame.
 */
const UNUSED = new RegExp(
  [
    '-rtl',
    'ant-col-(?:(?:xs|sm|md|lg|xl|xxl|xxxl)-)?(?:\\d|push|pull|offset|order|flex)',
    `-${COLOURS}(?![a-z])`,
    `ant-(?:input|select|picker)[a-z-]*-${VARIANTS}(?![a-z])`,
  ].join('|'),
);
/** Where a source of the console would need them. */
const WOULD_USE = new RegExp(
  String.raw`direction="rtl"|import \{[^}]*\bCol\b[^}]*\} from 'antd'|\bcolor="${COLOURS}"|\bvariant="${VARIANTS}"`,
);

/**
 * Ant Design computes the styles of each component in the browser when it is shown, and looks them up again whenever it is
 * drawn: a seventh of the console's time. Here the build computes them once, as one file, and leaves the functions that
 * make them out of the console (`zeroRuntime` of its theme). The values of the theme stay variables.
 *
 * The styles of the console come before them, whatever is loaded first (see `lowestStyles`).
 */
export function componentStyles(): Plugin {
  const namesByModule = new Map<string, string[]>();
  let computed: Promise<ComponentStyles> | undefined;
  return {
    name: 'tongtu:component-styles',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(PLACE)) return undefined;
      computed ??= computeStyles();
      return lowestStyles((await computed).css);
    },
    transform(code, id) {
      if (id.endsWith('.tsx') && WOULD_USE.test(code))
        this.error(`${id} has parts whose styles are left out as UNUSED`);
      if (!STYLE_MODULE.test(id)) return undefined;
      const calls = [...styleCalls(this.parse(code))];
      namesByModule.set(id, calls.map(nameOf));
      return { code: withoutFunctions(code, calls), map: null };
    },
    async generateBundle(_options, bundle) {
      const has = (await computed)?.names ?? new Set();
      const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      const missing = modules
        .flatMap((id) => namesByModule.get(id) ?? [])
        .filter((name) => !has.has(name) && !neverShown.has(name));
      if (missing.length > 0) this.error(`no styles for ${missing.join(', ')}: see component-styles.ts`);
    },
  };
}

type ComponentStyles = { css: string; names: Set<string> };

async function computeStyles(): Promise<ComponentStyles> {
  // They load all of Ant Design, which is of no use to Vite's commands that build nothing.
  const [{ createCache, extractStyle, StyleProvider }, { ConfigProvider, Form }, { extractStyle: renderAll }] =
    await Promise.all([import('@ant-design/cssinjs'), import('antd'), import('@ant-design/static-style-extract')]);
  const cache = createCache();
  renderAll({
    includes: components,
    customTheme: (children) =>
      createElement(
        StyleProvider,
        { cache },
        createElement(
          ConfigProvider,
          { theme: { hashed: false } },
          children,
          createElement(Form, null, createElement(Form.Item)),
        ),
      ),
  });
  const names = new Set([...cache.cache.keys()].flatMap((key) => key.split('%')));
  const css = extractStyle(cache, { plain: true, types: 'style' });
  // Those of links are for links in its components. The other pages have their own.
  return { css: withoutUnused(css).replaceAll(/(?<=^|[{},])a(?=[:{,[])/g, LINK), names };
}

/** Leaves out the rules of which every selector is unused: a fifth of what a browser downloads. */
function withoutUnused(css: string): string {
  return css.replaceAll(/([^{}]+)\{[^{}]*\}/g, (rule, selectors: string) =>
    selectors.split(',').every((selector) => UNUSED.test(selector)) ? '' : rule,
  );
}

type Node = { type: string; start: number; end: number };
type Call = Node & { callee: Node & { name?: string }; arguments: Node[] };

/** The calls `genStyleHooks('Button', token => …)`, whatever else is in the module. */
function* styleCalls(node: unknown): Generator<Call> {
  if (typeof node !== 'object' || node === null) return;
  const call = node as Partial<Call>;
  if (call.type === 'CallExpression' && STYLE_HOOKS.has(call.callee?.name ?? '')) yield call as Call;
  else for (const child of Object.values(node)) yield* styleCalls(child);
}

/** As in the keys of the cache: `Button-Button`, or `Form-item-item` of `['Form', 'item-item']`. */
function nameOf({ arguments: [name] }: Call): string {
  const { value, elements } = name as Node & { value?: string; elements?: { value: string }[] };
  return elements?.map((part) => part.value).join('-') ?? `${value}-${value}`;
}

/** The module, with functions that return no styles. */
function withoutFunctions(code: string, calls: readonly Call[]): string {
  return calls
    .flatMap(({ arguments: given }) => given[1] ?? [])
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`, code);
}
