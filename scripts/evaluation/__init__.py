"""Measures retrieval: sets of questions and hidden links in, figures for each leg and each part of the score out."""
