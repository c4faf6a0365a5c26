package io.frameloom.rdg;

import io.frameloom.rdg.GraphModel.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes a case that fails smaller: without passes, uses, resources, parts of them, flags, orders, conditions, queues and
 * options, as long as it still fails. What comes out of that need not be sound.
 */
final class CaseShrinking {
    private CaseShrinking() {}

    static PlanCase smallest(PlanCase failing, Predicate<PlanCase> fails) {
        PlanCase smallest = failing;
        boolean shrunk = true;
        while (shrunk) {
            shrunk = false;
            for (PlanCase candidate : smaller(smallest)) {
                if (fails.test(candidate)) {
                    smallest = candidate;
                    shrunk = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<PlanCase> smaller(PlanCase of) {
        List<PlanCase> result = new ArrayList<>();
        GraphModel model = of.model();
        for (int p = 0; p < model.passes().size(); p++) {
            if (!model.passes().get(p).builtin()) {
                result.add(of.of(model.without(p)));
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            Role role = model.resources().get(r).role();
            if (role != Role.PREVIOUS && role != Role.CURRENT) {
                result.add(of.of(withoutResource(model, r)));
            } else if (role == Role.PREVIOUS) {
                result.add(of.of(withoutHistory(model, r)));
            }
        }
        for (int p = 0; p < model.passes().size(); p++) {
            if (!model.passes().get(p).builtin()) {
                simpler(model.passes().get(p)).forEach(new Placing(of, p, result)::add);
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            GraphModel.Res res = model.resources().get(r);
            if (res.role() == Role.PLAIN && res.units() > res.planes()) {
                result.add(of.of(clipped(model, r, res.ofParts(1, 1))));
            }
            if (res.role() == Role.PLAIN && res.lifetime() == Lifetime.EXTRACTED) {
                result.add(of.of(clipped(model, r, res.kept())));
            } else if (res.role() == Role.PLAIN && res.finalAccess() != null) {
                result.add(of.of(clipped(model, r, res.with(res.initial(), null))));
            }
        }
        options(of, result);
        int queues = of.queues().queues().size();
        if (queues > 1 && model.passes().stream().allMatch(pass -> pass.queue() < queues - 1)) {
            result.add(of.with(new QueueTopology(of.queues().queues().subList(0, queues - 1))));
        }
        return result;
    }

    /** Collects the case with another pass in the place of one. */
    private record Placing(PlanCase of, int pass, List<PlanCase> into) {
        void add(GraphModel.Pass replacement) {
            into.add(of.of(of.model().with(pass, replacement)));
        }
    }

    private static List<GraphModel.Pass> simpler(GraphModel.Pass pass) {
        List<GraphModel.Pass> result = new ArrayList<>();
        for (int u = 0; u < pass.uses().size(); u++) {
            List<GraphModel.Use> rest = new ArrayList<>(pass.uses());
            GraphModel.Use use = rest.remove(u);
            result.add(pass.using(List.copyOf(rest)));
            if (use.group() >= 0) {
                rest.add(u, use.alone());
                result.add(pass.using(List.copyOf(rest)));
            }
        }
        for (PassFlag flag : pass.flags()) {
            Set<PassFlag> rest = EnumSet.copyOf(pass.flags());
            rest.remove(flag);
            result.add(pass.with(rest));
        }
        for (int a = 0; a < pass.after().size(); a++) {
            List<Integer> rest = new ArrayList<>(pass.after());
            rest.remove(a);
            result.add(pass.after(rest));
        }
        if (pass.condition() != null) {
            result.add(pass.always());
        }
        if (pass.queue() >= 0) {
            result.add(pass.on(-1));
        }
        if (pass.quarter() > 0) {
            result.add(pass.in(0, pass.parts()));
        }
        if (pass.parts() > 0) {
            result.add(pass.in(pass.quarter(), 0));
        }
        return result;
    }

    private static GraphModel withoutResource(GraphModel model, int resource) {
        List<GraphModel.Res> resources = new ArrayList<>(model.resources());
        resources.remove(resource);
        List<GraphModel.Pass> passes = new ArrayList<>();
        for (GraphModel.Pass pass : model.passes()) {
            passes.add(pass.using(pass.uses().stream()
                    .filter(use -> use.resource() != resource)
                    .map(use -> use.of(use.resource() > resource ? use.resource() - 1 : use.resource()))
                    .toList()));
        }
        return new GraphModel(resources, passes);
    }

    /** The clear of a history goes with it. */
    private static GraphModel withoutHistory(GraphModel model, int previous) {
        GraphModel rest = model;
        for (int p = 0; p < model.passes().size(); p++) {
            GraphModel.Pass pass = model.passes().get(p);
            if (pass.builtin() && pass.uses().get(0).resource() == previous) {
                rest = model.without(p);
            }
        }
        return withoutResource(withoutResource(rest, previous + 1), previous);
    }

    private static GraphModel clipped(GraphModel model, int resource, GraphModel.Res replacement) {
        List<GraphModel.Res> resources = new ArrayList<>(model.resources());
        resources.set(resource, replacement);
        List<GraphModel.Pass> passes = new ArrayList<>();
        for (GraphModel.Pass pass : model.passes()) {
            passes.add(pass.using(pass.uses().stream()
                    .map(use -> use.resource() == resource ? use.clipped(replacement) : use)
                    .toList()));
        }
        return new GraphModel(resources, passes);
    }

    private static void options(PlanCase of, List<PlanCase> into) {
        RdgOptions options = of.options();
        RdgOptions usual = RdgOptions.defaults().withPassLimits(1, 3);
        List<RdgOptions> simpler = List.of(
                options.withAsync(usual.async()),
                options.withOrder(usual.order()),
                options.withCullPasses(true),
                options.withMergeRenderPasses(true),
                options.withOverlapStorageWrites(true),
                options.withAliasing(true),
                options.withPolicy(usual.policy()),
                options.withPassLimits(1, 3));
        for (RdgOptions other : simpler) {
            if (!other.equals(options)) {
                into.add(of.with(other));
            }
        }
    }
}
