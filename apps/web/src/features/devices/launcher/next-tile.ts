type Box = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

/** The index of the tile that an arrow key leads to, or undefined for other keys and at the edge. */
export function nextTile(key: string, boxes: readonly Box[], index: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return index + 1 < boxes.length ? index + 1 : undefined;
    case 'ArrowLeft':
      return index > 0 ? index - 1 : undefined;
    case 'ArrowDown':
      return nearestInRow(boxes, index, (box, current) => box.top - current.bottom);
    case 'ArrowUp':
      return nearestInRow(boxes, index, (box, current) => current.top - box.bottom);
    case 'Home':
      return 0;
    case 'End':
      return boxes.length - 1;
    default:
      return undefined;
  }
}

/** The tile of the nearest row in that direction with the least horizontal distance. */
function nearestInRow(
  boxes: readonly Box[],
  index: number,
  distanceOf: (box: Box, current: Box) => number,
): number | undefined {
  const current = boxes[index];
  if (current === undefined) return undefined;
  const ahead = boxes.flatMap((box, at) => {
    const distance = distanceOf(box, current);
    return distance < 0 ? [] : { at, distance, aside: Math.abs(box.left - current.left) };
  });
  return ahead.toSorted((a, b) => a.distance - b.distance || a.aside - b.aside)[0]?.at;
}
