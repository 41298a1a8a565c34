/**
 * In the place of uPlot: happy-dom does not draw, e2e/screens.e2e.ts opens the charts in a browser. An alias of all
 * files and no mock of one, because they share their modules.
 */
// oxlint-disable-next-line import/no-default-export -- like uPlot
export default class PlotWithoutCanvas {
  static readonly paths = {};

  setData(): void {}

  setSize(): void {}

  destroy(): void {}
}
