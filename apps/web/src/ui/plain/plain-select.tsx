import styles from './plain-form.module.css';

type PlainSelectProps = {
  /** Names the list for screen readers. */
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
};

/** A list to choose from; text where there is nothing to choose. */
export function PlainSelect({ label, options, value, onChange }: PlainSelectProps) {
  if (options.length <= 1) return <span className={styles.single}>{options[0]?.label}</span>;
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
