import UPlot from 'uplot';
import { axisText } from './beijing-time.ts';

type PlotLine = { color: string; isDashed: boolean };

/** How a chart is drawn; another one is another chart. */
export type PlotLook = {
  kind: 'lines' | 'bars';
  lines: readonly PlotLine[];
  /** How long a point lasts. */
  stepS: number;
  amounts: 'bytes' | 'integers' | 'numbers';
  textOf: (amount: number) => string;
  colors: { text: string; grid: string; font: string };
};

const kilo = 1024;
const byteSteps = Array.from({ length: 6 }, (_, power) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((factor) => factor * kilo ** power),
).flat();
const countSteps = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat();

/** Chinese characters are as wide as the font's size. */
function widthOf(word: string): number {
  return [...word].reduce((px, character) => px + (character > '\u2e80' ? 12 : 7), 0);
}

/** Where no line shows a value, because there is none beside it. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isMissing = (index: number) => (values[index] ?? null) === null;
  return Array.from(values, (_, index) => index).filter(
    (index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1),
  );
}

/** All points where there is room for them; null means all. */
const chosenPoints: UPlot.Series.Points.Filter = ({ data }, index, isRoom) =>
  isRoom ? null : lonePoints(data[index] ?? []);

const bars = UPlot.paths.bars?.({ size: [0.8, 32], align: 1 });

export function plotOptions(
  look: PlotLook,
  onHover: (index: number | null | undefined) => void,
): Omit<UPlot.Options, 'width' | 'height'> {
  const { kind, lines, stepS, amounts, textOf, colors } = look;
  const emptyMax = amounts === 'bytes' ? kilo : 1;
  const axis = {
    stroke: colors.text,
    font: `12px ${colors.font}`,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  return {
    tzDate: (atS) => UPlot.tzDate(new Date(atS * 1_000), 'Asia/Shanghai'),
    padding: [8, 22, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx)] },
    scales: {
      x: { time: true, range: (_, min, max) => [min, Math.max(max + (kind === 'bars' ? stepS : 0), min + stepS)] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : emptyMax] },
    },
    axes: [
      {
        ...axis,
        space: 48,
        size: 28,
        values: (_, marks, __, ___, distanceS) => marks.map((atS) => axisText(atS, distanceS)),
      },
      {
        ...axis,
        space: 36,
        ...(amounts === 'numbers' ? {} : { incrs: amounts === 'bytes' ? byteSteps : countSteps }),
        values: (_, marks) => marks.map(textOf),
        size: (_, words) => 14 + Math.max(20, ...(words ?? []).map((word) => widthOf(String(word)))),
      },
    ],
    series: [
      {},
      ...lines.map(({ color, isDashed }) => ({
        stroke: color,
        ...(kind === 'bars'
          ? { fill: color, width: 0, ...(bars && { paths: bars }), points: { show: false } }
          : {
              width: 2,
              points: { filter: chosenPoints, fill: color },
              ...(isDashed ? { dash: [5, 4] } : { fill: `${color}1f` }),
            }),
      })),
    ],
  };
}
