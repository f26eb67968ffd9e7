# Compares combined ratios of machines with those of R's own t test. If machines have equal variances, it also compares them with
# metafor, because its random-effects model with the adjustment of Knapp and Hartung then gives them equal weights.
#
# usage: Rscript machines.R FILE     each line a confidence, the ratio, its interval, the spread, and the log ratios
suppressPackageStartupMessages(library(metafor))

lines <- strsplit(readLines(commandArgs(trailingOnly = TRUE)[1]), " ")
if (length(lines) < 200) stop("expected at least 200 lines, found ", length(lines))
farthest <- 0
compare <- function(line, what, ours, theirs) {
  apart <- max(abs(ours / theirs - 1))
  if (!is.finite(apart) || apart > 1e-9) {
    stop("line ", line, ", ", what, ": expected ", toString(format(theirs, digits = 17)), ", found ", toString(format(ours, digits = 17)))
  }
  farthest <<- max(farthest, apart)
}
models <- 0
for (line in seq_along(lines)) {
  numbers <- as.numeric(lines[[line]])
  confidence <- numbers[1]
  ours <- numbers[2:4]
  values <- numbers[-(1:5)]
  test <- t.test(values, conf.level = confidence)
  compare(line, "t.test", ours, exp(c(test$estimate, test$conf.int)))
  compare(line, "sd", numbers[5], exp(sd(values)))
  for (method in c("DL", "HE", "SJ", "PM")) {
    for (variance in c(1e-6, 1e-4, 1e-2)) {
      model <- rma(values, vi = rep(variance, length(values)), method = method, test = "knha", level = 100 * confidence)
      compare(line, paste("metafor,", method), ours, exp(c(model$beta, model$ci.lb, model$ci.ub)))
      models <- models + 1
    }
  }
}
cat(sprintf(
  "machines: %d combined ratios are those of R %s, and of %d models of metafor %s, to %.1g\n",
  length(lines), getRversion(), models, packageVersion("metafor"), farthest))
