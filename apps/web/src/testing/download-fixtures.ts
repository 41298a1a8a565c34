import type { Download, DownloadDetails } from '@tongtu/contract';

/** A download of 1000 bytes, half of it done. */
export function downloadOf(given: Partial<Download> = {}): Download {
  return {
    ...{ id: 'a'.repeat(16), status: 'active', name: '电影.mkv', total_bytes: 1_000, completed_bytes: 500 },
    ...{ is_torrent: false, is_metadata: false, is_seeding: false, uploaded_bytes: 0 },
    ...{ download_speed: 100, upload_speed: 0, connections: 2, seeders: null, error_code: null, error_message: '' },
    ...given,
  };
}

export function detailsOf(given: Partial<DownloadDetails> = {}): DownloadDetails {
  return {
    ...{ id: 'a'.repeat(16), folder: '/downloads', info_hash: null, links: ['http://nas/电影.mkv'] },
    ...{ files: [], file_count: 0, peers: [], servers: [], download_limit: 0, upload_limit: 0 },
    ...given,
  };
}
