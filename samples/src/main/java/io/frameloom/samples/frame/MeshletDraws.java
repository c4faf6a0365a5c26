package io.frameloom.samples.frame;

import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.util.List;

/** A way to draw the meshlets that the device has chosen. */
interface MeshletDraws {
    /** What passes that draw the chosen meshlets of one buffer read and record. */
    interface Chosen {
        /** Returns what is drawn one by one. */
        List<Meshlets.Batch> batches();

        /** Declares what a pass reads besides what all passes that draw the scene do. */
        PassBuilder reads(PassBuilder pass);

        /** Binds the pipeline of this way, and what it reads. */
        void bind(PassContext context, FrameResources resources, GeometryPipelines pipelines);

        /** Records the draws of a batch, by number. */
        void draw(PassContext context, int batch);
    }

    /** Fills the memory that outlives frames. */
    void upload(Uploader uploader);

    /**
     * Declares what passes that draw need.
     *
     * @param which which meshlets, as names of passes say it
     * @param bits the chosen ones, a bit for each instance
     */
    Chosen choose(RenderGraph graph, Which which, RdgBuffer bits);

    /** Which meshlets are drawn. */
    enum Which {
        EARLY,
        LATE,
        OF_BOTH;

        /** Returns the words in names of passes. */
        @Override
        public String toString() {
            return switch (this) {
                case EARLY -> "early";
                case LATE -> "late";
                case OF_BOTH -> "of both";
            };
        }
    }
}
