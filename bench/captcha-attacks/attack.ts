import { type Answers, clicked, type Shown, turned } from './answers.ts';
import { findParts, partsInAnyOrder, templateMatch } from './click-attacks.ts';
import { eachMethod, type Fit, fitTile, fitTurn } from './joints.ts';
import { type Pixels, readPixels } from './pixels.ts';
import { leaningRims, naiveRims, type Method } from './rim-attacks.ts';
import { symmetry } from './rotate-attacks.ts';
import { findRows, naiveTileAnswers, type TileTask } from './tile-attacks.ts';

/** The sizes of the images, which a script's author measures once. */
const gaps = { tile: 12, rotate: 17 };
const turns = [-40, -30, -20, -10, 0, 10, 20, 30, 40].map((degrees) => (degrees * Math.PI) / 180);

type Seen<Type extends Shown['type']> = { drawing: Extract<Shown, { type: Type }>; image: Pixels; thumb: Pixels };

/** The answers by method: the naive methods, and those of about a hundred lines. */
export async function attack(drawing: Shown): Promise<{ naive: Answers; better: () => Answers }> {
  const image = await readPixels(drawing.image);
  const thumb = await readPixels(drawing.thumb);
  switch (drawing.type) {
    case 'click':
      return {
        naive: {
          'parts, largest first': clicked(findParts(image, 4)),
          'parts, any order': clicked(partsInAnyOrder(image, Math.random)),
          'template match': clicked(templateMatch(image, thumb, [0])),
        },
        better: () => ({ 'template match, nine turns': clicked(templateMatch(image, thumb, turns)) }),
      };
    case 'rotate': {
      const fit = fitTurn(image, thumb, gaps.rotate);
      return {
        naive: { ...eachMethod(naiveRims, fit), symmetry: turned(symmetry(thumb)) },
        better: () => eachMethod(leaningRims(gaps.rotate), fit),
      };
    }
    case 'slide':
    case 'drag':
      return attackTile({ drawing, image, thumb });
  }
}

function attackTile({ drawing, image, thumb }: Seen<'slide' | 'drag'>): { naive: Answers; better: () => Answers } {
  const task = tileTask({ drawing, image, thumb });
  const fit = fitTile(drawing.type, task, gaps.tile);
  return {
    naive: { ...naiveTileAnswers(drawing.type, task), ...eachMethod(naiveRims, fit) },
    better: () => eachMethod(leaningRims(gaps.tile), fit),
  };
}

function tileTask({ drawing, image, thumb }: Seen<'slide' | 'drag'>): TileTask {
  const rows = drawing.type === 'slide' ? [drawing.thumbY] : findRows(image, gaps.tile);
  return { image, tile: thumb, rows };
}

/**
 * The answer of a method that compares rims, and its score. `click` has no rims: the naive template matching answers
 * it.
 */
export async function fitRims(drawing: Shown, methodFor: (gap: number) => Method): Promise<Fit> {
  const image = await readPixels(drawing.image);
  const thumb = await readPixels(drawing.thumb);
  switch (drawing.type) {
    case 'click':
      return { answer: clicked(templateMatch(image, thumb, [0])), score: 0 };
    case 'rotate':
      return fitTurn(image, thumb, gaps.rotate)(methodFor(gaps.rotate));
    case 'slide':
    case 'drag':
      return fitTile(drawing.type, tileTask({ drawing, image, thumb }), gaps.tile)(methodFor(gaps.tile));
  }
}
