import { Component, type ReactNode } from 'react';
import { NotLoaded } from './not-loaded.tsx';

type FailureBoundaryProps = { report: (error: unknown) => void; children: ReactNode };

/** Parts of a screen are loaded when they are needed. Where they do not arrive, the page says so. */
export class FailureBoundary extends Component<FailureBoundaryProps, { failure?: { error: unknown } }> {
  constructor(props: FailureBoundaryProps) {
    super(props);
    this.state = {};
  }
  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }
  override componentDidCatch(error: unknown): void {
    this.props.report(error);
  }
  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? <NotLoaded error={failure.error} /> : this.props.children;
  }
}
