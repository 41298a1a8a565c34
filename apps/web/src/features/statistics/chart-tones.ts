import type { GlobalToken } from 'antd';

/** What a line or bar stands for; the theme has its colour. */
export type ChartTone = 'main' | 'second' | 'caution' | 'bad' | 'muted';

export function toneColor(token: GlobalToken, tone: ChartTone): string {
  switch (tone) {
    case 'main':
      return token.colorPrimary;
    case 'second':
    case 'caution':
      return token.colorWarning;
    case 'bad':
      return token.colorError;
    case 'muted':
      return token.colorTextDescription;
  }
}
