//! Strongly connected components (Tarjan), without recursion.

/// The components of a graph of `n` nodes, in reverse topological order of the graph of components.
pub(crate) fn components(n: usize, successors: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; n];
    let mut low = vec![0u32; n];
    let mut open = vec![false; n];
    let mut stack: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    for root in 0..n as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        let mut calls: Vec<(u32, Vec<u32>, usize)> = vec![(root, successors(root), 0)];
        while let Some((node, edges, at)) = calls.last_mut() {
            let node = *node;
            if *at == 0 && order[node as usize] == NEW {
                order[node as usize] = next;
                low[node as usize] = next;
                next += 1;
                stack.push(node);
                open[node as usize] = true;
            }
            if let Some(&to) = edges.get(*at) {
                *at += 1;
                if order[to as usize] == NEW {
                    let edges = successors(to);
                    calls.push((to, edges, 0));
                } else if open[to as usize] {
                    low[node as usize] = low[node as usize].min(order[to as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, ..)) = calls.last() {
                low[*parent as usize] = low[*parent as usize].min(low[node as usize]);
            }
            if low[node as usize] == order[node as usize] {
                let start =
                    stack.iter().rposition(|&n| n == node).expect("the node is on the stack");
                let component = stack.split_off(start);
                for &n in &component {
                    open[n as usize] = false;
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn finds_cycles_and_singles() {
        let graph: [&[u32]; 5] = [&[1], &[2], &[0, 3], &[3], &[]];
        let mut found = components(5, |n| graph[n as usize].to_vec());
        for component in &mut found {
            component.sort_unstable();
        }
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![3], vec![4]]);
    }
}
