ALTER TABLE `guests` ADD `answers` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `guests` ADD `keep_days` integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE `guests` ADD `provisional` integer DEFAULT false NOT NULL;