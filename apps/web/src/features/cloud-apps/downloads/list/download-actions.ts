import type { Download } from '@tongtu/contract';

/** What the user does with one download. */
export type DownloadActions = {
  open: (download: Download) => void;
  pause: (download: Download) => void;
  resume: (download: Download) => void;
  retry: (download: Download) => void;
  /** Asks first when it has not stopped. */
  remove: (download: Download) => void;
};
