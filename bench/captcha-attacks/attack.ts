import type { Drawing } from '@tongtu/server/testing/captcha';
import { type Answers, clicked, turned } from './answers.ts';
import { findParts, partsInAnyOrder, templateMatch } from './click-attacks.ts';
import { rimTileAnswers, rimTurnAnswers } from './joints.ts';
import { type Pixels, readPixels } from './pixels.ts';
import { leaningRims, naiveRims, type Trick } from './rim-attacks.ts';
import { symmetry } from './rotate-attacks.ts';
import { findRows, naiveTileAnswers } from './tile-attacks.ts';

/** As the pictures have them; a script's author measures them once. */
const gaps = { tile: 12, rotate: 17 };
const turns = [-40, -30, -20, -10, 0, 10, 20, 30, 40].map((degrees) => (degrees * Math.PI) / 180);

type Seen<Type extends Drawing['type']> = { drawing: Extract<Drawing, { type: Type }>; picture: Pixels; thumb: Pixels };

/** What scripts answer, by the name of their trick: those that anybody would try first, and those of about a hundred lines. */
export async function attack(drawing: Drawing): Promise<{ naive: Answers; better: () => Answers }> {
  const picture = await readPixels(drawing.image);
  const thumb = await readPixels(drawing.thumb);
  switch (drawing.type) {
    case 'click':
      return {
        naive: {
          'parts, largest first': clicked(findParts(picture, 4)),
          'parts, any order': clicked(partsInAnyOrder(picture, Math.random)),
          'template match': clicked(templateMatch(picture, thumb, [0])),
        },
        better: () => ({ 'template match, nine turns': clicked(templateMatch(picture, thumb, turns)) }),
      };
    case 'rotate': {
      const byRims = (tricks: Record<string, Trick>) => rimTurnAnswers(picture, thumb, { gap: gaps.rotate, tricks });
      return {
        naive: { ...byRims(naiveRims), symmetry: turned(symmetry(thumb)) },
        better: () => byRims(leaningRims(gaps.rotate)),
      };
    }
    case 'slide':
    case 'drag':
      return attackTile({ drawing, picture, thumb });
  }
}

function attackTile({ drawing, picture, thumb }: Seen<'slide' | 'drag'>): { naive: Answers; better: () => Answers } {
  const { type, thumbY } = drawing;
  const gap = gaps.tile;
  const task = { picture, tile: thumb, rows: type === 'slide' ? [thumbY] : findRows(picture, gap) };
  return {
    naive: { ...naiveTileAnswers(type, task), ...rimTileAnswers(type, task, { gap, tricks: naiveRims }) },
    better: () => rimTileAnswers(type, task, { gap, tricks: leaningRims(gap) }),
  };
}
