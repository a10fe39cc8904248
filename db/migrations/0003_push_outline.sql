ALTER TABLE `deployments` ADD `values` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `outline` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `deployments_ended` ON `deployments` (`device`,`state`,`ended_at`);