import styles from './invite.module.css';

/** A few numbers with their words. */
export function Figures({ figures }: { figures: readonly { word: string; value: string }[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ word, value }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
