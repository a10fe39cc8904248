ALTER TABLE `clients` ADD `icon` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `watched` integer DEFAULT false NOT NULL;