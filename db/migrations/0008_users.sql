ALTER TABLE `accounts` ADD `company` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `last_sign_in_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `invited_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `invitation` text;--> statement-breakpoint
CREATE INDEX `accounts_invitation` ON `accounts` (`invitation`);