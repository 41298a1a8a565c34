const yuan = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const wholeYuan = new Intl.NumberFormat('zh-CN', { maximumFractionDigits: 0 });

const daysPerYear = 365;
const daysPerMonth = 30;

/** `¥26`, `¥2.17`: money is an integer number of 分. */
export function yuanText(fen: number): string {
  return `¥${fen % 100 === 0 ? wholeYuan.format(fen / 100) : yuan.format(fen / 100)}`;
}

/** `1 年`, `90 天` */
export function daysText(days: number): string {
  return days % daysPerYear === 0 ? `${days / daysPerYear} 年` : `${days} 天`;
}

/** The price of a product in words: for its whole time, and by year and month as far as these are shorter. */
export function priceTexts({ price_fen: fen, days }: { price_fen: number; days: number }): {
  whole: string;
  parts: string;
} {
  if (fen === 0) return { whole: '免费', parts: `${daysText(days)}有效` };
  const shorter = [
    ...(days > daysPerYear ? [`每年 ${yuanText(Math.round((fen * daysPerYear) / days))}`] : []),
    ...(days > daysPerMonth ? [`每月 ${yuanText(Math.round((fen * daysPerMonth) / days))}`] : []),
  ];
  return {
    whole: `${yuanText(fen)} / ${daysText(days)}`,
    parts: shorter.length === 0 ? '' : `约合${shorter.join('，')}`,
  };
}

const rateUnits = [
  { unit: 'Gbit/s', bps: 1_000_000_000 },
  { unit: 'Mbit/s', bps: 1_000_000 },
  { unit: 'kbit/s', bps: 1_000 },
];

/** `4 Mbit/s` */
export function rateText(bps: number): string {
  const { unit, bps: each } = rateUnits.find((rate) => bps >= rate.bps) ?? { unit: 'bit/s', bps: 1 };
  return `${Number((bps / each).toFixed(1))} ${unit}`;
}
