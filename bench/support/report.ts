/** A line of the table: the result of each round, and the target. */
export type Line = {
  name: string;
  unit: '×' | 'ms' | 's' | 'KB' | 'MB' | 'requests' | '1 = yes';
  target: string;
  values: number[];
};

/** A table, then one line of JSON. */
export function printReport(lines: Line[], versions: Record<string, string>): void {
  const results = lines.map(({ values, ...line }) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2));
    const measured = { min: at(0), median: at(0.5), max: at(1), rounds: values.length };
    return { ...line, ...measured, met: judge(line.target, measured.median) };
  });
  if (results.length > 0) console.table(results);
  console.log(JSON.stringify({ versions, results }));
}

/** Whether the median meets a target such as `≤ 0.5` or `0`; empty if there is no target. */
function judge(target: string, median: number): 'met' | 'not met' | '' {
  const [, relation = '', text = ''] = /^([≤≥]?) ?([\d.]+)$/.exec(target) ?? [];
  if (text === '') return '';
  const limit = Number(text);
  if (relation === '≤') return median <= limit ? 'met' : 'not met';
  if (relation === '≥') return median >= limit ? 'met' : 'not met';
  return median === limit ? 'met' : 'not met';
}
