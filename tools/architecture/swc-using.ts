import visitorModule from '@swc/core/Visitor.js';

type Node = { type: string; decls?: unknown[] };
type WalkNode = (this: Walker, node: Node) => Node;
type Walker = {
  visitStatement: WalkNode;
  visitPattern: WalkNode;
  visitVariableDeclarators: (declarators: unknown[]) => unknown[];
};

/**
 * dependency-cruiser walks swc's tree with the Visitor of @swc/core, which throws on `using` declarations
 * (checked with 1.16.18). This adds them, as statements and as the head of a `for` loop.
 */
export function teachVisitorUsingDeclarations(): void {
  const walker = visitorModule.Visitor.prototype as unknown as Walker; // its own types name no UsingDeclaration
  walker.visitStatement = withUsing(walker.visitStatement);
  walker.visitPattern = withUsing(walker.visitPattern);
}

function withUsing(visit: WalkNode): WalkNode {
  return function visitWithUsing(node) {
    if (node.type !== 'UsingDeclaration') return visit.call(this, node);
    node.decls = this.visitVariableDeclarators(node.decls ?? []);
    return node;
  };
}
