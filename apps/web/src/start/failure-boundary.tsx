import { Component, type ReactNode } from 'react';
import { NotLoaded } from './not-loaded.tsx';

type FailureBoundaryProps = { report: (error: unknown) => void; children: ReactNode };

/** Parts of a screen are loaded when they are needed. Where they do not arrive, the page says so. */
export class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.report(error);
  }
  override render(): ReactNode {
    return this.state.hasFailed ? <NotLoaded /> : this.props.children;
  }
}
