export const productName = '通途';

/** The product's name, plus ' - ' and the route's title when one exists (specification §2). */
export function documentTitle(routeTitle: string | undefined): string {
  return routeTitle === undefined ? productName : `${productName} - ${routeTitle}`;
}
