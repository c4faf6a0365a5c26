"""Frames 0 to 119 in three blocks of 40, each a frame of an OpenCue layer. See docs/farm.md."""

import outline
import outline.cuerun
import outline.modules.shell

# Paths as the render hosts see them.
COMMAND = ["/frameloom/samples/farm/render-block", "0..119", "40", "#IFRAME#", "--size", "1280x720", "--out", "/shared/frames"]

job = outline.Outline("frames", show="testing", shot="city", user="render")
job.add_layer(outline.modules.shell.Shell("blocks", command=COMMAND, range="0-2"))
outline.cuerun.launch(job, use_pycuerun=False)
