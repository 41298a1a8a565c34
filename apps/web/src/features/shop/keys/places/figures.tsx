import { placesText } from '../../../../text/shop/keys.ts';
import { yuanText } from '../../../../text/shop/money.ts';
import styles from '../keys.module.css';
import type { PlaceFigures } from './place-figures.ts';

const words = placesText.figures;

export function Figures({ title, figures }: { title: string; figures: PlaceFigures }) {
  const shown: [string, string][] = [
    [words.made, String(figures.made)],
    [words.sold, String(figures.sold)],
    [words.redeemed, String(figures.redeemed)],
    [words.worth, yuanText(figures.worthFen)],
  ];
  return (
    <dl className={styles.figures} aria-label={title}>
      {shown.map(([word, value]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
