import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/lib/types';
import { createElement, type ReactNode } from 'react';
import styles from './plain.module.css';

function draw({ tag, attrs, children = [] }: AbstractNode, key: number): ReactNode {
  return createElement(tag, { key, ...propsOf(attrs) }, ...children.map(draw));
}

/** `fill-rule` is `fillRule` in JSX. */
function propsOf(attributes: Record<string, string>): Record<string, string> {
  const camelCase = (name: string) => name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [camelCase(name), value]));
}

/** An icon of Ant Design without its library. It is decorative: text beside it says the same. */
export function PlainIcon({ of }: { of: IconDefinition }) {
  // Only icons of two colours have a function here.
  if (typeof of.icon === 'function') return null;
  const { tag, attrs, children = [] } = of.icon;
  return createElement(
    tag,
    {
      ...propsOf(attrs),
      className: styles.icon,
      width: '1em',
      height: '1em',
      fill: 'currentColor',
      'aria-hidden': 'true',
    },
    ...children.map(draw),
  );
}
