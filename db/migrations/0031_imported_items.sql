ALTER TABLE `takeovers` RENAME TO `imported_items`;--> statement-breakpoint
ALTER TABLE `imported_items` RENAME COLUMN `taken_at` TO `imported_at`;--> statement-breakpoint
ALTER TABLE `imported_items` RENAME COLUMN `returned_at` TO `released_at`;--> statement-breakpoint
ALTER TABLE `deployments` RENAME COLUMN `window_seconds` TO `confirm_seconds`;
