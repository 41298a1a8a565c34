/** A line of the table: the result of each round, and the target. */
export type Line = {
  name: string;
  unit: '×' | 'ms' | 's' | 'KB' | 'MB' | 'requests';
  target: string;
  values: number[];
};

/** A table, then one line of JSON. */
export function printReport(lines: Line[], versions: Record<string, string>): void {
  const results = lines.map(({ values, ...line }) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2));
    return { ...line, min: at(0), median: at(0.5), max: at(1), rounds: values.length };
  });
  console.table(results);
  console.log(JSON.stringify({ versions, results }));
}
